import type { ModelRegistry } from '@modelwire/core'
import { isSecretField } from '@modelwire/server'
import { isOfModel, namesRelation, propertiesIn } from '@modelwire/core/plugin'
import { compileOptionalWhere, type ModelType } from '@modelwire/core/connector'
import { WebhookEndpointInvalid } from '../errors.ts'
import { objectIn } from '../models/read-endpoint.ts'

/** Kinds of changes as named in endpoints and message types. */
export const kindNames = { create: 'created', update: 'updated', remove: 'deleted' } as const

const kinds: ReadonlySet<unknown> = new Set(Object.values(kindNames))

/** Models whose changes are in a log. */
const loggedModels = (registry: ModelRegistry): readonly ModelType[] =>
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
      throw new WebhookEndpointInvalid(`the model "${String(name)}" has no change log`)
  return written.length === 0
    ? logged
    : logged.filter((model) => written.some((name) => isOfModel(model, String(name))))
}

/** Whether messages about a model may have a property: the others are undeclared, protected, or left out of logs. */
function mayTell({ properties, strict, protected: kept, dataSource }: ModelType, name: string): boolean {
  if (kept.has(name) || isSecretField(name)) return false
  const isOpen = !strict && dataSource?.connector.capabilities.storesUndeclared !== false
  return isOpen || properties.some((property) => property.name === name)
}

/** @throws {WebhookEndpointInvalid} no message has a property of the condition, which would match nothing, or anything, for ever */
function checkProperties(models: readonly ModelType[], names: readonly string[]): void {
  const unknown = models.length > 0 && names.find((name) => !models.some((model) => mayTell(model, name)))
  if (typeof unknown === 'string')
    throw new WebhookEndpointInvalid(`the condition tests "${unknown}", which messages about these models do not have`)
}

/**
 * @throws {InvalidFilter} or {HiddenPropertyInFilter}: a condition is malformed, or names a hidden property
 * @throws {WebhookEndpointInvalid} it cannot be tested against messages
 */
function checkCondition(models: readonly ModelType[], written: unknown): void {
  if (written === undefined || written === null) return
  const where = objectIn(written)
  if (where === undefined) throw new WebhookEndpointInvalid('condition must be an object')
  const compiled = models.flatMap((model) => {
    if (namesRelation(model, { where }))
      throw new WebhookEndpointInvalid('a condition cannot refer to related records: it only tests the changed record')
    return compileOptionalWhere(model, where, { options: { prohibitHiddenPropertiesInQuery: true } }) ?? []
  })
  checkProperties(models, compiled.flatMap(propertiesIn))
}

/**
 * Validates which changes an endpoint wants.
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
