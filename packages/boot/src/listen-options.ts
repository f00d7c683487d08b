import type { FastifyInstance } from 'fastify'

/** Where a server listens. */
export interface ListenOptions {
  readonly host: string
  readonly port: number
}

/**
 * Where an application wants to be served: what its script tells `app.listen`, else `HOST` and `PORT` of the environment, else `host` and `port` of `config.json`,
 * else port 3000 on every address, as LoopBack.
 */
export function listenOptions(
  { loopback }: FastifyInstance,
  variables: Readonly<Record<string, string | undefined>> = process.env
): ListenOptions {
  const { host: toldHost, port: toldPort } = loopback.wantedAddress ?? {}
  const host = toldHost ?? variables['HOST'] ?? loopback.get('host') ?? '0.0.0.0'
  const port = toldPort ?? variables['PORT'] ?? loopback.get('port') ?? 3000
  return { host: String(host), port: Number(port) }
}
