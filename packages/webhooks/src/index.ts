export type { CreatedEndpoint } from './endpoints/observe-endpoints.ts'
export {
  TooManyWebhookCalls,
  TooManyWebhookEndpoints,
  WebhookAddressRefused,
  WebhookDeliveryPending,
  WebhookEndpointInvalid,
  WebhookOwnerMissing,
  WebhookSecretSealed
} from './errors.ts'
export { type UserIdType, type ModelFacts, webhookModels } from './models/definitions.ts'
export { type WebhooksOptions, WebhooksOptionsSchema } from './options.ts'
export { webhooks, webhooks as default } from './plugin.ts'
export type { NewSecret } from './secrets/rotate-secret.ts'
export type { Webhooks } from './webhooks.ts'
