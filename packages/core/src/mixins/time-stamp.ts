import type { Model } from '../model/model.ts'

const nameOr = (value: unknown, otherwise: string): string => (typeof value === 'string' && value !== '' ? value : otherwise)

/**
 * Keeps the times of creation and of the last change in two date properties.
 *
 * Options: `createdAt` and `updatedAt`, the properties' names. Clients cannot set either.
 */
export function timeStamp(model: typeof Model, options: Record<string, unknown>): void {
  const created = nameOr(options['createdAt'], 'createdAt')
  const updated = nameOr(options['updatedAt'], 'updatedAt')
  const { registry, name } = model.modelType
  for (const property of [created, updated]) registry.defineProperty(name, property, { type: 'date' })
  model.observe('before save', ({ instance, data, currentInstance, isNewInstance }) => {
    const target = instance ?? data
    if (target === undefined) return
    const now = new Date()
    target[updated] = now
    if (isNewInstance === true) target[created] = now
    else if (currentInstance !== undefined) target[created] = currentInstance[created]
    else delete target[created]
  })
}
