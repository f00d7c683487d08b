import type { ModelRegistry } from '@modelwire/core'
import type { ScriptExchange, ScriptObjects } from '@modelwire/core/plugin'
import { hasFailed } from './express-functions.ts'
import { type ExpressRequest, type ExpressResponse, expressRequest, expressResponse } from './express-objects.ts'

/** Each of the two leads to the other one (`req.res`, `res.req`), and functions of the response look at the request. */
const bothOf = (exchange: ScriptExchange): { request: ExpressRequest; response: ExpressResponse } => ({
  request: expressRequest(exchange),
  response: expressResponse(exchange)
})

const scriptObjects: ScriptObjects = {
  request: (exchange) => bothOf(exchange).request,
  response: (exchange) => bothOf(exchange).response,
  hasFailed
}

/** Lets code of the application see requests and responses as Express shows them. */
export function installScriptObjects(registry: ModelRegistry): void {
  registry.scriptObjects = scriptObjects
}
