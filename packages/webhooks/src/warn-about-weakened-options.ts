import type { FastifyBaseLogger } from 'fastify'
import type { WebhooksSettings } from './options.ts'

/** Logs which options make webhooks less safe than they are by default. */
export function warnAboutWeakenedOptions(
  { secret, allowPrivateAddresses }: WebhooksSettings,
  log: Pick<FastifyBaseLogger, 'warn'>
): void {
  if (secret === undefined)
    log.warn('webhooks: secrets of endpoints are stored as they are: set the option `secret` to encrypt them')
  if (allowPrivateAddresses)
    log.warn('webhooks: endpoints may be at private addresses: allowPrivateAddresses is for development alone')
}
