import type { ModelRegistry } from '@modelwire/core'
import type { ScriptExchange } from '@modelwire/core/plugin'
import { hasFailed } from './express-functions.ts'
import { type ExpressRequest, expressRequest, type ExpressResponse, expressResponse } from './express-objects.ts'

/** Each of the two leads to the other one (`req.res`, `res.req`), and functions of the response look at the request. */
const bothOf = (exchange: ScriptExchange): { request: ExpressRequest; response: ExpressResponse } => ({
  request: expressRequest(exchange),
  response: expressResponse(exchange)
})

const scriptObjects: NonNullable<ModelRegistry['scriptObjects']> = {
  request: (exchange) => bothOf(exchange).request,
  response: (exchange) => bothOf(exchange).response,
  hasFailed
}

/** Lets application code see requests and responses as in Express. */
export function installScriptObjects(registry: ModelRegistry): void {
  registry.scriptObjects = scriptObjects
}

/** The message of any thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
