import type { Ports } from './ports.ts'

/** What processes of the application are told of the cluster. */
export function environmentOf({ databases }: Ports): Readonly<Record<string, string>> {
  const hosts = databases.slice(0, 1).map((port) => `127.0.0.1:${port}`).join(',')
  return {
    DATABASE_URL: `postgres://postgres@${hosts}/shop`
  }
}
