import type { ModelRegistry } from '@modelwire/core'
import { compileOptionalWhere, isOfModel, type ModelType, namesRelation } from '@modelwire/core/plugin'
import { WebhookEndpointInvalid } from '../errors.ts'
import { objectIn } from '../models/read-endpoint.ts'

/** Kinds of changes as endpoints and types of messages name them. */
export const kindNames = { create: 'created', update: 'updated', remove: 'deleted' } as const

const kinds: ReadonlySet<unknown> = new Set(Object.values(kindNames))

/** Models whose changes are in a log. */
export const loggedModels = (registry: ModelRegistry): readonly ModelType[] =>
  Array.from(registry.changeLogs.values(), ({ models }) => [...models])
    .flat()
    .map((name) => registry.typeOf(name))

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

function checkKinds(written: unknown): void {
  if (written === undefined || written === null) return
  if (!isList(written) || !written.every((kind) => kinds.has(kind)))
    throw new WebhookEndpointInvalid(`kinds must be a list of ${[...kinds].join(', ')}`)
}

/** The models that an endpoint names: those that have a log, or all of those. */
function namedModels(registry: ModelRegistry, written: unknown): readonly ModelType[] {
  const logged = loggedModels(registry)
  if (written === undefined || written === null) return logged
  if (!isList(written)) throw new WebhookEndpointInvalid('models must be a list of names')
  for (const name of written)
    if (!logged.some((model) => isOfModel(model, String(name))))
      throw new WebhookEndpointInvalid(`there is no log of changes of the model "${String(name)}"`)
  return written.length === 0
    ? logged
    : logged.filter((model) => written.some((name) => isOfModel(model, String(name))))
}

/** @throws {InvalidFilter} or {HiddenPropertyInFilter}: a condition is malformed, or names a hidden property */
function checkCondition(models: readonly ModelType[], written: unknown): void {
  if (written === undefined || written === null) return
  const where = objectIn(written)
  if (where === undefined) throw new WebhookEndpointInvalid('condition must be an object')
  for (const model of models) {
    if (namesRelation(model, { where }))
      throw new WebhookEndpointInvalid('a condition cannot name related records: it is about the changed record alone')
    compileOptionalWhere(model, where, { options: { prohibitHiddenPropertiesInQuery: true } })
  }
}

/**
 * Checks which changes an endpoint wants.
 * @throws {WebhookEndpointInvalid} one of its models has no log, or there is no such kind
 * @throws {InvalidFilter} the condition is malformed
 * @throws {HiddenPropertyInFilter} the condition names a hidden property
 */
export function checkSelection(
  registry: ModelRegistry,
  { models, kinds: wanted, condition }: Readonly<Record<string, unknown>>
): void {
  checkKinds(wanted)
  checkCondition(namedModels(registry, models), condition)
}
