import type { AddressInfo } from 'node:net'
import { checkOptions, fillDefaults, isWithoutListening } from '@modelwire/server'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Registry } from 'prom-client'
import { makeMetrics } from './metrics/make-metrics.ts'
import { makeReadiness } from './check-readiness.ts'
import { type OpsOptions, OpsOptionsSchema, type OpsSettings } from './options.ts'
import { shareMetrics } from './processes/share-metrics.ts'
import { traceServer } from './tracing/trace-server.ts'
import { addRoutes, serveApart } from './routes.ts'
import { nameRequests } from './request-ids.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The registry of metrics, for custom ones; undefined without `/metrics`. */
    metrics: Registry | undefined
    /** Addresses of the separate server for health and metrics, once it listens; empty without `port`. */
    opsAddresses: readonly AddressInfo[]
  }
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
    app.log.warn('ops is registered after rest, whose calls are neither measured nor traced: register it before rest')
  app.decorate('metrics', metrics)
  const written = metrics && { contentType: metrics.contentType, write: shareMetrics(app, metrics) }
  const routes = { basePath, readiness, metrics: written }
  if (port !== undefined && !isWithoutListening()) return serveApart(app, routes, { port, host })
  app.decorate('opsAddresses', [])
  if (port !== undefined) return
  if (metrics !== undefined)
    app.log.warn(
      `ops: anyone who can reach the API can read ${basePath}/metrics, which reveals how it is used: use a separate port for ops`
    )
  addRoutes(app, routes)
}

/**
 * Serves health checks and metrics for probes and Prometheus: `/live`, `/ready` and `/metrics`. Register it after
 * `modelwire` and before `rest`.
 * @throws {InvalidOption} an option is unknown or malformed, or nothing can listen at its port
 */
export const ops = fp(plugin, { name: '@modelwire/ops', fastify: '5.x', dependencies: ['@modelwire/core'] })
