import type { OpsOptions } from '@modelwire/ops'
import type { BootExtension, Component } from '../extension.ts'

/** The component of `component-config.json` that gives a folder health, metrics and traces. */
export const opsModule = '@modelwire/ops'

/** Variables of the environment are texts. */
function readOptions(params: Readonly<Record<string, unknown>>): OpsOptions {
  const { port } = params
  // `ops` checks them.
  return typeof port === 'string' && /^\d+$/.test(port) ? { ...params, port: Number(port) } : params
}

const measuresStatements = ({ metrics, port, tracing }: OpsOptions): boolean =>
  Boolean(tracing) || (metrics ?? port !== undefined)

/** The parts of an application that `@modelwire/ops` of `component-config.json` switches on. */
export function opsExtension(): { readonly extension: BootExtension; readonly component: Component } {
  let options: OpsOptions | undefined
  const extension: BootExtension = {
    name: 'ops',
    beforeRest: async ({ server }) => {
      if (options === undefined) return
      const { ops } = await import('@modelwire/ops')
      await server.register(ops, options)
    }
  }
  const component: Component = ({ registry }, params) => {
    options = readOptions(params)
    // Data sources are opened before there is a server for the rest.
    if (measuresStatements(options)) registry.statements.begin()
  }
  return { extension, component }
}
