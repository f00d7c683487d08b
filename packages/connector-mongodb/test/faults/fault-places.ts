import { mongodb } from '@modelwire/connector-mongodb'
import type { FaultTestsOptions } from '@modelwire/connector-tests'
import { type OwnServer, type OwnServerOptions, startOwnServer } from '@modelwire/connector-tests/mongodb'

/** A server of a test's own behind a proxy: to the driver it is the only one, so that nothing goes past the proxy. */
export function faultPlaces(options: OwnServerOptions = {}): FaultTestsOptions & { readonly servers: OwnServer[] } {
  const servers: OwnServer[] = []
  return {
    servers,
    create: mongodb,
    limitKey: 'max',
    createDatabase: async () => {
      const server = await startOwnServer(options)
      servers.push(server)
      return { url: `${server.url}/faults?directConnection=true`, drop: () => server.stop() }
    },
    port: 27_017,
    runOn: async () => undefined
  }
}
