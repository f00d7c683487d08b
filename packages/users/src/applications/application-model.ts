import type { HookContext, ModelDefinition } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/connector'
import { randomBytes } from 'node:crypto'

/** The keys of an application, in the order in which they are tried. */
export const keyNames = ['clientKey', 'javaScriptKey', 'restApiKey', 'windowsKey', 'masterKey'] as const

/** The purpose of a key. */
export type KeyName = (typeof keyNames)[number]

// As long as LoopBack's, which are digests.
const [idBytes, keyBytes] = [16, 20]

/** Client applications that may call. @see LoopBack 3: loopback, common/models/application.json */
export const applicationModel: ModelDefinition = {
  name: 'Application',
  base: 'PersistedModel',
  public: false,
  holdsSecrets: true,
  properties: {
    id: { type: 'string', id: true },
    realm: 'string',
    name: { type: 'string', required: true },
    description: 'string',
    icon: { type: 'string', description: 'URL of an image' },
    owner: { type: 'string', description: 'id of the user who registered it' },
    collaborators: { type: ['string'], description: 'ids of users who work on it' },
    email: 'string',
    emailVerified: 'boolean',
    url: 'string',
    callbackUrls: { type: ['string'], description: 'OAuth 2.0 redirect URIs' },
    permissions: ['string'],
    clientKey: 'string',
    javaScriptKey: 'string',
    restApiKey: 'string',
    windowsKey: 'string',
    masterKey: 'string',
    pushSettings: { type: 'object', description: 'apns and gcm' },
    authenticationEnabled: { type: 'boolean', default: true },
    anonymousAllowed: { type: 'boolean', default: true },
    authenticationSchemes: { type: ['object'], description: 'each with scheme and credential' },
    status: { type: 'string', default: 'sandbox', description: 'production, sandbox or disabled' },
    created: { type: 'date', defaultFn: 'now' },
    modified: { type: 'date', defaultFn: 'now' }
  }
}

/** A new application gets an id and keys. In LoopBack every whole save made new keys, which cut clients off. */
function completeNew({ instance, isNewInstance }: HookContext): void {
  if (instance === undefined || isNewInstance !== true) return
  const now = new Date()
  Object.assign(instance, { created: now, modified: now, ...makeKeys() })
  if (!instance['id']) instance['id'] = newApplicationId()
}

/** Assigns ids and keys to new applications. */
export function observeApplications({ hooks }: ModelType): void {
  hooks.observeQuietly('before save', completeNew)
}

/** A new id: 32 hexadecimal digits. */
function newApplicationId(): string {
  return randomBytes(idBytes).toString('hex')
}

/** Generates keys, each of 40 hexadecimal digits. */
export function makeKeys(): Record<KeyName, string> {
  const made = keyNames.map((name) => [name, randomBytes(keyBytes).toString('hex')])
  return Object.fromEntries(made) as Record<KeyName, string> // one entry for each name
}
