import { BaseModelCycle } from '../errors.ts'
import type { ModelFile } from './find-model-files.ts'

/**
 * The files of the models named, and of the bases they extend, in an order in which each base stands before the models
 * that extend it.
 * @throws {BaseModelCycle} models extend each other in a circle
 */
export function orderModels(names: Iterable<string>, files: ReadonlyMap<string, ModelFile>): ModelFile[] {
  const ordered = new Set<ModelFile>()
  const visit = (name: string, below: readonly string[]): void => {
    const model = files.get(name)
    if (model === undefined || ordered.has(model)) return
    if (below.includes(name)) {
      throw new BaseModelCycle(
        `the models extend each other: ${[...below.slice(below.indexOf(name)), name].join(' → ')}`,
        { model: name, file: model.file, key: 'base' }
      )
    }
    const { base } = model.definition
    if (typeof base === 'string') visit(base, [...below, name])
    ordered.add(model)
  }
  for (const name of names) visit(name, [])
  return [...ordered]
}
