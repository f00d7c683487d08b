import { ModelNotFound, type ModelRegistry } from '@modelwire/core'
import { endpointModelName } from '../models/definitions.ts'
import { randomBytes, hkdfSync } from 'node:crypto'
import { CompactEncrypt, compactDecrypt } from 'jose'
import { WebhookSecretSealed } from '../errors.ts'

/** Encrypts secrets for the database, and decrypts them. */
export interface SecretSeal {
  readonly close: (secret: string) => Promise<string>
  /** @throws {WebhookSecretSealed} none of the keys opens it */
  readonly open: (stored: string) => Promise<string>
}

/** A key that serves nothing else, whatever else the option is used for. */
const keyOf = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'modelwire webhooks secrets', 32))

/** What secrets begin with. @see Standard Webhooks, signature scheme */
const secretPrefix = 'whsec_'

/** Generates a secret for signatures: 32 random bytes. */
export const makeSecret = (): string => `${secretPrefix}${randomBytes(32).toString('base64')}`

/** A secret that replaces another one. */
export interface NewSecret {
  readonly secret: string
  /** Until then messages are also signed with the replaced secret. */
  readonly previousUntil: Date
}

/**
 * Generates a new secret for an endpoint.
 * @param rotation seconds for which the one before signs as well
 * @throws {ModelNotFound} there is no such endpoint
 */
export async function rotateSecret(registry: ModelRegistry, id: unknown, rotation: number): Promise<NewSecret> {
  const endpoints = registry.get(endpointModelName)
  const found = await endpoints.findById(id)
  if (found === null) throw new ModelNotFound(`no ${endpointModelName} has the id ${String(id)}`)
  const secret = makeSecret()
  const previousUntil = new Date(Date.now() + rotation * 1000)
  const { secret: previousSecret } = found.toObject()
  await endpoints.updateAll({ id: found.getId() }, { secret, previousSecret, previousSecretUntil: previousUntil })
  return { secret, previousUntil }
}

/**
 * True for a secret of 24 to 64 bytes in base64 after the prefix.
 * @see Standard Webhooks, signature scheme
 */
export function isSecret(text: string): boolean {
  const base64 = text.slice(secretPrefix.length)
  if (!text.startsWith(secretPrefix) || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return false
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64') === base64 && bytes.length >= 24 && bytes.length <= 64
}

async function tryOpen(key: Uint8Array, sealed: string): Promise<string | undefined> {
  try {
    const { plaintext } = await compactDecrypt(sealed, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM']
    })
    return new TextDecoder().decode(plaintext)
  } catch {
    // Another key may fit; the caller throws when none does.
    return undefined
  }
}

/**
 * Encrypts secrets of endpoints with AES-256-GCM (JWE, `dir`).
 * @param secrets the first one encrypts, all of them decrypt; where there is none, secrets are stored as they are
 */
export function createSecretSeal(secrets: readonly string[]): SecretSeal {
  const keys = secrets.map(keyOf)
  const [current] = keys
  return {
    close: async (secret) =>
      current === undefined
        ? secret
        : new CompactEncrypt(new TextEncoder().encode(secret))
            .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
            .encrypt(current),
    open: async (stored) => {
      // Stored before the option was set.
      if (isSecret(stored)) return stored
      for (const key of keys) {
        const secret = await tryOpen(key, stored)
        if (secret !== undefined) return secret
      }
      throw new WebhookSecretSealed('the secret of an endpoint cannot be decrypted: has the option `secret` changed?')
    }
  }
}
