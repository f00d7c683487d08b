import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'

/**
 * Opens a stream of changes, and resolves when it is open.
 * @returns a function that reads the stream to its end, which the end of the application brings
 */
export async function followChanges(
  app: FastifyInstance,
  url: string,
  headers: Readonly<Record<string, string>> = {}
): Promise<() => Promise<string>> {
  const answer = await app.inject({ url, headers, payloadAsStream: true })
  return async () => text(answer.stream())
}
