import { completeServer, makeServer, type ServerOptions } from './make-server.ts'
import { earlyLog } from './early-log.ts'
import { listenOptions } from '../../listen-options.ts'
import { LoopBackApplication, type ServerHost } from '../application/loopback-application.ts'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** Creates an application whose own script starts its server: `app.listen()`, or a custom server that passes requests on. */
export function createOwnApplication(options: ServerOptions): LoopBackApplication {
  let completed: Promise<void> | undefined
  const host: ServerHost = {
    log: earlyLog(options.logger),
    open: (prepared, application) => {
      const made = makeServer(options, prepared)
      holdRequests(made.server, () => host.complete(application))
      return made
    },
    complete: (application) => (completed ??= completeSoon(options, application)),
    listen: (application) => void listen(host, application),
    isHeld: false
  }
  return new LoopBackApplication(options, host)
}

/** What the script does in the same turn, such as mounting more, comes first. */
async function completeSoon(options: ServerOptions, application: LoopBackApplication): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  await application.booted()
  await completeServer(options, application)
}

/** An address in use is reported to the waiting callers, as by servers of Node; without any, the process ends. */
async function listen(host: ServerHost, application: LoopBackApplication): Promise<void> {
  const { server } = application
  try {
    await host.complete(application)
    // A script may have called `listen` on the server already.
    if (server.server.listening) return
    const { path, ...address } = listenOptions(server)
    await server.listen(path === undefined ? address : { path })
  } catch (error) {
    if (server.server.listenerCount('error') > 0) server.server.emit('error', error)
    else endProcess(host, error)
  }
}

function endProcess(host: ServerHost, error: unknown): void {
  host.log.fatal(error, 'the application did not start')
  process.nextTick(() => {
    throw error
  })
}

/**
 * Lets the requests of a server wait until it is ready: scripts, and those who test them, have it listen before it is, as every server
 * of Node can. What it is not ready for is a 500.
 */
function holdRequests(server: Server, ready: () => Promise<void>): void {
  const listeners = server.listeners('request')
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    for (const listener of listeners) listener.call(server, request, response)
  }
  const answerWhenReady = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
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
  const hold = (request: IncomingMessage, response: ServerResponse): void => void answerWhenReady(request, response)
  server.removeAllListeners('request')
  server.on('request', hold)
}
