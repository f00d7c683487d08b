import type { HookContext } from '../hooks/hook-table.ts'
import type { ModelConstructor } from '../contract/model-instance.ts'
import { idOf } from '../repository/records/identify.ts'

/**
 * Maintains the times of creation and of the last change in two date properties.
 *
 * Options: `createdAt` and `updatedAt`, the properties' names. Clients cannot set either.
 */
export function timeStamp(model: ModelConstructor, options: Record<string, unknown>): void {
  const created = nameOr(options['createdAt'], 'createdAt')
  const updated = nameOr(options['updatedAt'], 'updatedAt')
  const { modelType } = model
  const { registry } = modelType
  registry.defineProperty(modelType, created, { type: 'date', defaultFn: 'now', setByServer: true })
  registry.defineProperty(modelType, updated, { type: 'date', setByServer: true })
  model.observe('before save', async (context) => {
    const target = context.instance ?? context.data
    if (target === undefined) return
    target[updated] = new Date()
    if (context.isNewInstance === true) target[created] = target[updated]
    else await keepCreation(context, target, { created, updated })
  })
}

function nameOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise
}

/** Puts back what a client may have sent: the time of the stored record stays. A record without one is created by this, or older than the mixin. */
async function keepCreation(
  context: HookContext,
  target: Record<string, unknown>,
  { created, updated }: { readonly created: string; readonly updated: string }
): Promise<void> {
  const { instance, currentInstance } = context
  if (instance !== undefined) target[created] = (await storedRow(context, instance))?.[created] ?? target[updated]
  else target[created] = currentInstance?.[created] ?? undefined
  if (target[created] === undefined) delete target[created]
}

async function storedRow(
  context: HookContext,
  instance: Record<string, unknown>
): Promise<Record<string, unknown> | undefined> {
  // Core gives observers the class of the model.
  const { modelType } = context.Model as ModelConstructor
  const id = idOf(modelType, instance)
  return id === undefined || id === null ? undefined : modelType.collection?.findById(id)
}
