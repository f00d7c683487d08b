import { randomBytes } from 'node:crypto'
import type { Ports } from './ports.ts'

/** What processes of the application are told of the cluster. */
export type Environment = Readonly<Record<string, string>>

/** What all processes are told. @param receiverSecret what messages to the receiver are signed with */
export function environmentOf({ databases, redis, receiver }: Ports, receiverSecret: string): Environment {
  const hosts = databases.map((port) => `127.0.0.1:${port}`).join(',')
  return {
    DATABASE_URL: `postgres://postgres@${hosts}/shop?target_session_attrs=read-write`,
    REPLICAS_URL: `postgres://postgres@${hosts}/shop`,
    REDIS_URL: `redis://127.0.0.1:${redis}/0`,
    WEBHOOKS_SECRET: randomBytes(32).toString('base64url'),
    WEBHOOKS_HOSTS: `127.0.0.1:${receiver}`,
    RECEIVER_URL: `http://127.0.0.1:${receiver}/orders`,
    RECEIVER_SECRET: receiverSecret
  }
}
