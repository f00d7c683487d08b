import { OperationContext, type Principal } from '@modelwire/core'
import { Client, type ModelType, type Operation, repository, serverCall } from '@modelwire/core/plugin'

/** A hypothetical call of an operation, with the fields that a question about it needs. */
export async function questionOf(
  operation: Operation,
  principal: Principal | undefined,
  id: unknown
): Promise<OperationContext> {
  const { model, onInstance } = operation
  const args = id === undefined ? {} : { id, data: { [idName(model)]: id } }
  const client = new Client(principal, undefined)
  const context = new OperationContext(operation, { args, client, ...(id === undefined ? {} : { id: String(id) }) })
  if (onInstance && id !== undefined)
    context.instance = (await repository.findById(model, id, undefined, serverCall())) ?? undefined
  return context
}

const idName = ({ idProperty }: ModelType): string => idProperty?.name ?? 'id'
