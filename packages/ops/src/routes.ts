import type { AddressInfo } from 'node:net'
import { InvalidOption } from '@modelwire/server'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Readiness } from './check-readiness.ts'

/** Metrics as text. */
interface Written {
  readonly contentType: string
  readonly write: () => Promise<string>
}

interface Routes {
  readonly basePath: string
  readonly readiness: () => Promise<Readiness>
  readonly metrics: Written | undefined
}

/** Probes come every few seconds: their answers are not logged. */
const quiet = { logLevel: 'warn' } as const

/** Adds the routes of probes and metrics to a server. */
export function addRoutes(server: FastifyInstance, { basePath, readiness, metrics }: Routes): void {
  server.get(`${basePath}/live`, quiet, async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
    return { status: 'live' }
  })
  server.get(`${basePath}/ready`, quiet, async (_request, reply) => {
    const found = await readiness()
    void reply.header('cache-control', 'no-store').code(found.status === 'ready' ? 200 : 503)
    return found
  })
  if (metrics === undefined) return
  server.get(`${basePath}/metrics`, quiet, async (_request, reply) => {
    void reply.header('cache-control', 'no-store').type(metrics.contentType)
    return metrics.write()
  })
}

/** Serves the routes on a separate port until the application is closed. */
export function serveApart(app: FastifyInstance, routes: Routes, { port, host }: { port: number; host: string }): void {
  const server = Fastify()
  addRoutes(server, routes)
  app.decorate('opsAddresses', {
    // It listens at a port, not at a path.
    getter: () => server.addresses() as readonly AddressInfo[]
  })
  app.addHook('onReady', async () => {
    try {
      app.log.info(`Health and metrics at ${await server.listen({ port, host })}${routes.basePath}`)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new InvalidOption(`cannot listen on this address: ${why}`, { key: 'ops.port' }, { cause })
    }
  })
  app.addHook('onClose', async () => server.close())
}
