import type { AddressInfo } from 'node:net'
import { checkOptions, fillDefaults, InvalidOption, isWithoutListening } from '@modelwire/core/plugin'
import Fastify, { type FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'
import { makeMetrics } from './metrics/make-metrics.ts'
import { makeReadiness, type Readiness } from './check-readiness.ts'
import { type OpsOptions, OpsOptionsSchema, type OpsSettings } from './options.ts'
import { shareMetrics } from './processes/share-metrics.ts'
import { nameRequests } from './request-ids.ts'
import { traceServer } from './tracing/trace-server.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What is measured, for metrics of the application's own; undefined without `/metrics`. */
    metrics: Registry | undefined
    /** Where health and metrics have a server of their own, once it listens; empty without `port`. */
    opsAddresses: readonly AddressInfo[]
  }
}

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

function addRoutes(server: FastifyInstance, { basePath, readiness, metrics }: Routes): void {
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

/** Serves the routes at a port of their own until the application is closed. */
function serveApart(app: FastifyInstance, routes: Routes, { port, host }: { port: number; host: string }): void {
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
      throw new InvalidOption(`nothing can listen there: ${why}`, { key: 'ops.port' }, { cause })
    }
  })
  app.addHook('onClose', async () => server.close())
}

async function plugin(app: FastifyInstance, rawOptions: OpsOptions): Promise<void> {
  const settings: OpsSettings = fillDefaults(OpsOptionsSchema, checkOptions('ops', OpsOptionsSchema, rawOptions))
  const { port, host, basePath } = settings
  if (settings.requestIds !== undefined) nameRequests(app, settings.requestIds)
  const { tracing } = settings
  if (tracing) await traceServer(app, tracing === true ? 1 : tracing.share)
  const readiness = makeReadiness(app, settings)
  const metrics = (settings.metrics ?? port !== undefined) ? makeMetrics(app, readiness) : undefined
  if (app.models.sealed && (metrics !== undefined || tracing))
    app.log.warn('ops is registered after rest, whose calls are neither measured nor traced: register it before')
  app.decorate('metrics', metrics)
  const written = metrics && { contentType: metrics.contentType, write: shareMetrics(app, metrics) }
  const routes = { basePath, readiness, metrics: written }
  if (port !== undefined && !isWithoutListening()) return serveApart(app, routes, { port, host })
  app.decorate('opsAddresses', [])
  if (port !== undefined) return
  if (metrics !== undefined)
    app.log.warn(`ops: whoever reaches the API reads ${basePath}/metrics, which tells how it is used: give it a port`)
  addRoutes(app, routes)
}

/**
 * Tells probes and Prometheus how a server is: `/live`, `/ready` and `/metrics`. Register it after `modelwire` and before `rest`.
 * @throws {InvalidOption} an option is unknown or malformed, or nothing can listen at its port
 */
export const ops = fp(plugin, { name: '@modelwire/ops', fastify: '5.x', dependencies: ['@modelwire/core'] })
