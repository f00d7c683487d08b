import { createHash } from 'node:crypto'

/**
 * The id of a message, made of what it is about: who would make a second message of one change for an endpoint finds the id
 * taken.
 */
export function messageId(...about: readonly unknown[]): string {
  const digest = createHash('sha256').update(JSON.stringify(about)).digest('base64url')
  return `msg_${digest.replaceAll(/[-_]/g, '0').slice(0, 32)}`
}
