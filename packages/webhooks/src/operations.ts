import { deliveryModelName, endpointModelName } from './models/definitions.ts'
import type { WebhooksSettings } from './options.ts'
import type { Webhooks } from './webhooks.ts'
import { defineInstanceOperation, type ModelRegistry, type OperationContext } from '@modelwire/core'
import { Type } from '@sinclair/typebox'
import { TooManyWebhookCalls } from './errors.ts'

/** Counts calls that send messages, for all processes. @throws {TooManyWebhookCalls} */
async function countCall(
  { shared }: ModelRegistry,
  { principal: { userModel, userId, appId } = {} }: OperationContext,
  perMinute: number
): Promise<void> {
  const caller = JSON.stringify([userModel, userId, appId])
  const { count, left } = await shared.cells.count(`webhook calls ${caller}`, 60_000)
  if (count > perMinute) throw new TooManyWebhookCalls('too many calls: try again later', Math.ceil(left / 1000))
}

/** Adds the operations of endpoints and deliveries besides reading and changing them. */
export function addOperations(
  registry: ModelRegistry,
  made: Pick<Webhooks, 'sendTest' | 'rotateSecret' | 'retry'>,
  { callsPerMinute }: Pick<WebhooksSettings, 'callsPerMinute'>
): void {
  const endpoints = registry.get(endpointModelName)
  defineInstanceOperation(endpoints, {
    name: 'test',
    returns: Type.Object({ deliveryId: Type.String() }),
    returnsSecret: false,
    description: 'Sends a message of the type webhook.test.',
    handler: async (endpoint, _args, context) => {
      await countCall(registry, context, callsPerMinute)
      return { deliveryId: await made.sendTest(endpoint.getId()) }
    }
  })
  defineInstanceOperation(endpoints, {
    name: 'rotateSecret',
    returns: Type.Object({ secret: Type.String(), previousUntil: Type.Unsafe<Date>(Type.String()) }),
    description: 'Creates a new secret for the endpoint, which is only shown in the response.',
    handler: async (endpoint) => made.rotateSecret(endpoint.getId())
  })
  defineInstanceOperation(registry.get(deliveryModelName), {
    name: 'retry',
    description: 'Sends a dead or delivered delivery again.',
    handler: async (delivery, _args, context) => {
      await countCall(registry, context, callsPerMinute)
      await made.retry(delivery.getId())
    }
  })
}
