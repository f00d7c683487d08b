import { isPlainObject } from '../values/clone-plain.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { RelationDefinition } from '../definition/relation-definition.ts'
import { InvalidRelation } from '../definition/errors.ts'
import type { CopyProperties, OnDelete, RelationSettings } from '../contract/resolved-relation.ts'

const deletions: ReadonlySet<unknown> = new Set<OnDelete>(['restrict', 'cascade', 'setNull'])

function pathOf(name: string, options: Readonly<Record<string, unknown>>): string {
  const { http } = options
  const path = isPlainObject(http) && typeof http['path'] === 'string' ? http['path'] : name
  return path.replace(/^\/+|\/+$/g, '')
}

/**
 * Reads the settings of a relation's definition besides its keys. @throws {InvalidRelation} a part of it is malformed
 */
export function relationSettings(from: ModelType, name: string, definition: RelationDefinition): RelationSettings {
  const options: Readonly<Record<string, unknown>> = definition.options ?? {}
  const onDelete = definition['onDelete'] ?? options['onDelete']
  const place = { model: from.name, key: `relations.${name}` }
  if (onDelete !== undefined && !deletions.has(onDelete))
    throw new InvalidRelation('onDelete must be restrict, cascade or setNull', {
      ...place,
      key: `${place.key}.onDelete`
    })
  const methods = definition['methods'] ?? definition['scopeMethods']
  return {
    path: pathOf(name, options),
    scope: definition.scope,
    properties: copyProperties(definition.properties),
    invertProperties: options['invertProperties'] === true || definition['invertProperties'] === true,
    disableInclude: options['disableInclude'] === true,
    nestRemoting: options['nestRemoting'] === true,
    // The set above holds nothing else.
    onDelete: onDelete as OnDelete | undefined,
    methods: isPlainObject(methods) ? methods : {},
    options
  }
}

function isCopyFunction(value: unknown): value is Extract<CopyProperties, (...args: never[]) => unknown> {
  return typeof value === 'function'
}

/** Names of properties. LB3: values in place of names copy nothing, pinned by relations/scopes. */
function copyProperties(written: unknown): CopyProperties | undefined {
  if (isCopyFunction(written)) return written
  if (Array.isArray(written)) return written.filter((name) => typeof name === 'string')
  if (!isPlainObject(written)) return undefined
  const named = Object.entries(written).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(named)
}
