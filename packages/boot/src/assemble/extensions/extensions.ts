import { defineKeyValueModel } from '@modelwire/key-value'
import type { BootExtension, Component } from '../../extension.ts'
import { acceptCallback, addRelationMethods, joiningTransaction } from '@modelwire/loopback/api'
import type { OpsOptions } from '@modelwire/ops'
import { installRelations, type InstalledRelations } from '@modelwire/relations'

/** The component of `component-config.json` that adds health checks, metrics and traces. */
export const opsModule = '@modelwire/ops'

const measuresStatements = ({ metrics, port, tracing }: OpsOptions): boolean =>
  Boolean(tracing) || (metrics ?? port !== undefined)

/** The key of webhooks in `component-config.json`. */
export const webhooksComponent = '@modelwire/webhooks'

/** Adds key-value models, LoopBack's `KeyValueModel`. */
export function keyValueExtension(): BootExtension {
  return {
    name: 'key-value',
    beforeModels({ registry }) {
      defineKeyValueModel(registry)
    }
  }
}

/** Adds webhooks to an application, configured in `component-config.json`. The package is only loaded if they are enabled. */
export function webhooksExtension(): { extension: BootExtension; component: Component } {
  let options: Readonly<Record<string, unknown>> | undefined
  return {
    extension: {
      name: 'webhooks',
      // Behind access control, which decides whether endpoints have routes.
      async beforeRest({ server }) {
        if (options === undefined) return
        const { webhooks } = await import('@modelwire/webhooks')
        await server.register(webhooks, options)
      }
    },
    component: (_context, params) => {
      options = params
    }
  }
}

/** Variables of the environment are texts. */
function readOptions(params: Readonly<Record<string, unknown>>): OpsOptions {
  const { port } = params
  // `ops` checks them.
  return typeof port === 'string' && /^\d+$/.test(port) ? { ...params, port: Number(port) } : params
}

/** Adds what the component `@modelwire/ops` of `component-config.json` enables. */
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

/** Serves the relations of an application, including those declared by scripts. */
export function relationsExtension(): BootExtension {
  let installed: InstalledRelations | undefined
  return {
    name: 'relations',
    beforeModels({ registry, add }) {
      installed = installRelations(registry, {
        style: { wrap: (method) => acceptCallback(joiningTransaction(method)), readsAtOnce: true },
        onMissing: ({ message, where }) =>
          add('ignored', { file: where.model ?? 'model', key: where.key ?? 'relations' }, message, {
            advice: 'correct the name, or define the model and name it in model-config.json'
          })
      })
      addRelationMethods(registry.rootClass, installed)
    },
    beforeScripts() {
      installed?.complete()
    }
  }
}
