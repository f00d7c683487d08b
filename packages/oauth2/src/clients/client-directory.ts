import type { Client } from './client.ts'

/** The clients of the application. */
export interface ClientDirectory {
  /** The client with this id; undefined when there is none. */
  find(id: string): Promise<Client | undefined>
  /** True when `secret` is the client's; a plain one in the database is replaced by its hash. */
  checkSecret(id: string, secret: string): Promise<boolean>
}
