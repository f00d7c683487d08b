import type { ModelRegistry } from '@modelwire/core'
import { isPlainObject } from '@modelwire/server'
import { TooManyWebhookEndpoints, WebhookEndpointInvalid, WebhookOwnerMissing } from '../errors.ts'
import { endpointModelName } from '../models/definitions.ts'
import type { WebhooksSettings } from '../options.ts'
import { isSecret, makeSecret, type SecretSeal } from '../secrets/rotate-secret.ts'
import { type AddressRules, checkAddress } from './check-address.ts'
import { checkSelection } from './check-selection.ts'
import type { StoredRecord } from '../models/read-endpoint.ts'

/** An endpoint that was just created. */
export interface CreatedEndpoint {
  readonly endpoint: StoredRecord
  /** It cannot be read again. */
  readonly secret: string
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

const visible = /^[\x20-\x7e]*$/

/** What the server itself says of a message, or of the connection. */
const own =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-.*|webhook-.*)$/i

const most = 20

const longest = 2048

/** The dependencies for checking endpoints. */
export interface EndpointParts {
  readonly registry: ModelRegistry
  readonly seal: SecretSeal
  readonly rules: AddressRules & Pick<WebhooksSettings, 'endpointsPerUser'>
  /** Secrets of endpoints that were just created, by instance: shown once. */
  readonly newSecrets: WeakMap<object, string>
}

type Fields = Record<string, unknown>

function checkFields(fields: Fields, current: Readonly<Fields>, { registry, rules }: EndpointParts): void {
  const { models, kinds, condition } = { ...current, ...fields }
  if ('url' in fields) checkAddress(fields['url'], rules)
  if ('headers' in fields) checkHeaders(fields['headers'])
  if ('models' in fields || 'kinds' in fields || 'condition' in fields)
    checkSelection(registry, { models, kinds, condition })
}

/** Seals a secret that is written; one that was sealed before is left as it is. */
async function sealWritten(fields: Fields, stored: unknown, seal: SecretSeal): Promise<void> {
  const { secret } = fields
  if (secret === undefined || secret === stored) return
  if (typeof secret !== 'string' || !isSecret(secret))
    throw new WebhookEndpointInvalid('secret must be `whsec_` and 24 to 64 bytes in base64')
  fields['secret'] = await seal.close(secret)
}

/** One that is enabled again has failed never. */
function forgetFailures(fields: Fields): void {
  if (fields['enabled'] !== true) return
  fields['failingSince'] = null
  fields['disabledReason'] = null
}

async function prepareNew(instance: Fields, parts: EndpointParts): Promise<void> {
  const { seal, newSecrets } = parts
  checkFields(instance, {}, parts)
  if (typeof instance['secret'] !== 'string') instance['secret'] = makeSecret()
  newSecrets.set(instance, String(instance['secret']))
  await sealWritten(instance, undefined, seal)
}

/** Plain fields of a record, undefined ones left out. */
const fieldsOf = (record: Readonly<Fields>): Fields =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))

/** Validates endpoints before they are stored, generates secrets for new ones, and encrypts secrets. */
export function observeEndpoints(parts: EndpointParts): void {
  const { registry, seal } = parts
  registry.get(endpointModelName).modelType.hooks.observe('before save', async (context) => {
    const { instance, data, currentInstance, isNewInstance } = context
    if (instance !== undefined && isNewInstance === true) return prepareNew(instance, parts)
    const fields = data ?? instance ?? {}
    checkFields(fields, fieldsOf(currentInstance ?? {}), parts)
    forgetFailures(fields)
    const stored = currentInstance ?? (await findStored(registry, instance))
    return sealWritten(fields, stored?.['secret'], seal)
  })
}

/** The stored record of an instance that is saved as a whole. */
async function findStored(
  registry: ModelRegistry,
  instance: Fields | undefined
): Promise<Readonly<Fields> | undefined> {
  if (instance === undefined) return undefined
  return (await registry.get(endpointModelName).findById(instance['id'])) ?? undefined
}

/** @throws {WebhookEndpointInvalid} a client chooses the id of an endpoint */
function refuseIds(data: unknown): void {
  for (const one of [data].flat())
    if (isPlainObject(one) && one['id'] !== undefined)
      throw new WebhookEndpointInvalid('the id of an endpoint cannot be chosen')
}

/** Lets clients with a user create endpoints, and shows them the secret in that response only. */
export function showNewSecrets({ registry, newSecrets, rules }: EndpointParts): void {
  const method = `${endpointModelName}.create`
  registry.remoteHooks.add('before', method, async (context) => {
    const { client, principal } = context
    if (client === undefined) return
    if (principal?.userId === undefined)
      throw new WebhookOwnerMissing('an endpoint must belong to a user: this client has none')
    refuseIds(context.args['data'])
    const { userId, userModel } = principal
    const count = await registry.get(endpointModelName).count({ userId, userModel: userModel ?? null })
    if (count + [context.args['data']].flat().length > rules.endpointsPerUser)
      throw new TooManyWebhookEndpoints(`a user may have at most ${rules.endpointsPerUser} endpoints`)
  })
  registry.remoteHooks.add('after', method, (context) => {
    const { result } = context
    context.result = Array.isArray(result) ? result.map(shown) : shown(result)
  })
  const shown = (record: unknown): unknown => {
    if (typeof record !== 'object' || record === null) return record
    const secret = newSecrets.get(record)
    return secret === undefined ? record : { ...JSON.parse(JSON.stringify(record)), secret }
  }
}

/** @throws {WebhookEndpointInvalid} a header cannot be sent, or is one that the server sets */
function checkHeaders(headers: unknown): void {
  if (headers === undefined || headers === null) return
  if (!isPlainObject(headers)) throw new WebhookEndpointInvalid('headers must be an object of strings')
  const entries = Object.entries(headers)
  if (entries.length > most) throw new WebhookEndpointInvalid(`an endpoint may have at most ${most} headers`)
  for (const [name, value] of entries) {
    if (!token.test(name) || own.test(name)) throw new WebhookEndpointInvalid(`the header "${name}" cannot be set`)
    if (typeof value !== 'string' || value.length > longest || !visible.test(value))
      throw new WebhookEndpointInvalid(`the header "${name}" must be a string of visible ASCII characters`)
  }
}

/**
 * Creates an endpoint, of a user or, without `userId`, of the application itself.
 * @throws {WebhookAddressRefused} webhooks are not sent to its address
 * @throws {WebhookEndpointInvalid} another property cannot be used
 */
export async function createEndpoint(
  { registry, newSecrets }: EndpointParts,
  data: Readonly<Record<string, unknown>>
): Promise<CreatedEndpoint> {
  const endpoint = await registry.get(endpointModelName).create({ ...data })
  return { endpoint, secret: newSecrets.get(endpoint) ?? '' }
}
