import { type ModelType, type Operation, OperationContext, type Principal, repository } from '@modelwire/core'

/** A call of an operation that nobody makes: what a question about it needs. */
export async function questionOf(
  operation: Operation,
  principal: Principal | undefined,
  id: unknown
): Promise<OperationContext> {
  const { model, onInstance } = operation
  const args = id === undefined ? {} : { id, data: { [idName(model)]: id } }
  const context = new OperationContext(operation, { args, ...(id === undefined ? {} : { id: String(id) }) })
  context.principal = principal
  if (onInstance && id !== undefined)
    context.instance = (await repository.findById(model, id, undefined, {})) ?? undefined
  return context
}

const idName = ({ idProperty }: ModelType): string => idProperty?.name ?? 'id'
