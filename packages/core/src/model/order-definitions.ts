import type { Registry } from '../contract/registry.ts'
import type { ModelDefinition } from '../definition/model-definition.ts'

/**
 * Definitions in an order in which bases come before the models that extend them. Models whose base is nowhere, or that
 * extend each other in a circle, come last, where defining them throws the reason.
 */
export function orderDefinitions(definitions: readonly ModelDefinition[], registry?: Registry): ModelDefinition[] {
  const ordered: ModelDefinition[] = []
  const waiting = new Set(definitions)
  const names = new Set(definitions.map((definition) => definition.name))
  const isReady = ({ base }: ModelDefinition) =>
    typeof base !== 'string' ||
    !names.has(base) ||
    registry?.find(base) !== undefined ||
    ordered.some((done) => done.name === base)
  for (let grown = true; grown;) {
    const ready = [...waiting].filter(isReady)
    for (const definition of ready) {
      ordered.push(definition)
      waiting.delete(definition)
    }
    grown = ready.length > 0
  }
  return [...ordered, ...waiting]
}
