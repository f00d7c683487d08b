import type { BootExtension, Component } from '../extension.ts'

/** The key of webhooks in `component-config.json`. */
export const webhooksComponent = '@modelwire/webhooks'

/** Webhooks of an application, with their options in `component-config.json`. The package is loaded when they are switched on. */
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
