import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/**
 * Lets the requests of a server wait until it is ready: scripts, and those who test them, have it listen before it is, as every server
 * of Node can. What it is not ready for is a 500.
 */
export function holdRequests(server: Server, ready: () => Promise<void>): void {
  const listeners = server.listeners('request')
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    for (const listener of listeners) listener.call(server, request, response)
  }
  const answerOnceReady = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      await ready()
    } catch {
      // The log has the error.
      response.writeHead(500).end()
      return
    }
    if (server.listeners('request').includes(hold)) {
      server.removeListener('request', hold)
      server.on('request', answer)
    }
    answer(request, response)
  }
  const hold = (request: IncomingMessage, response: ServerResponse): void => void answerOnceReady(request, response)
  server.removeAllListeners('request')
  server.on('request', hold)
}
