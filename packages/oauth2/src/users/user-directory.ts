import type { UserFacts } from '../options/user-functions.ts'

/** The users of the application. */
export interface UserDirectory {
  /** The user with this name, or address, and password; undefined for a wrong one. Both texts are the user's own. */
  verify(username: string, password: string): Promise<UserFacts | undefined>
  /** The user with this id; undefined when there is none. */
  find(id: unknown): Promise<UserFacts | undefined>
  /** The user with this name or address. */
  findByName(name: string): Promise<UserFacts | undefined>
}
