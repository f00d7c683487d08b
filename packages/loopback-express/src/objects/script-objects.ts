import type { ModelRegistry } from '@modelwire/core'
import type { ScriptObjects } from '@modelwire/core/plugin'
import { hasFailed } from './express-functions.ts'
import { expressRequest, expressResponse } from './express-objects.ts'

const scriptObjects: ScriptObjects = {
  request: expressRequest,
  response: (exchange) => {
    // Functions of the response look at the request.
    expressRequest(exchange)
    return expressResponse(exchange)
  },
  hasFailed
}

/** Lets code of the application see requests and responses as Express shows them. */
export function installScriptObjects(registry: ModelRegistry): void {
  registry.scriptObjects = scriptObjects
}
