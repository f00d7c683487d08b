import { isPlainObject } from '../values/clone-plain.ts'
import { camelName } from './camel-name.ts'
import type { Draft } from './draft.ts'

/** The two properties of a polymorphic key. */
export interface PolymorphicKey {
  /** The name that both sides agree on. */
  readonly selector: string
  readonly foreignKey: string
  readonly discriminator: string
  /** Written type of the key; absent: that of the declaring model's id. */
  readonly idType: unknown
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/**
 * The properties of a polymorphic key: `true`, the name of the other side's relation, or an object; undefined where the
 * relation is not polymorphic.
 * @see LoopBack 3: loopback-datasource-juggler, lib/relation-definition.js, normalizePolymorphic
 */
export function polymorphicKey({ name, definition }: Draft): PolymorphicKey | undefined {
  const { polymorphic } = definition
  if (polymorphic === undefined || polymorphic === false || polymorphic === null) return undefined
  const settings = isPlainObject(polymorphic) ? polymorphic : {}
  const selector = text(polymorphic) ?? text(settings['selector']) ?? text(settings['as']) ?? name
  return {
    selector,
    foreignKey: text(settings['foreignKey']) ?? `${camelName(selector)}Id`,
    discriminator: text(settings['discriminator']) ?? `${camelName(selector)}Type`,
    idType: settings['idType']
  }
}
