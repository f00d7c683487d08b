import type { Operation, ReturnValue } from './operation.ts'
import type { OperationContext } from './operation-context.ts'

/**
 * Sets the body, the status and the headers of an answer to what a method returned, as the operation declares it: one that declares
 * nothing has no result, unless a hook gives it one.
 */
export function setReturned({ returns }: Operation, context: OperationContext, value: unknown): void {
  const values = returns.length > 1 && Array.isArray(value) ? value : [value]
  const body: Record<string, unknown> = {}
  let root: { value: unknown } | undefined
  for (const [index, returned] of returns.entries()) {
    const item: unknown = values[index]
    if (returned.target !== undefined) setTarget(returned, context, item)
    else if (returned.root && index < values.length) root = { value: item }
    else if (returned.root) continue
    else body[returned.name] = item
  }
  const named = returns.length === 0 ? undefined : body
  context.result = root === undefined ? named : root.value
}

/** Sets the status or a header of the answer; a value that is absent sets nothing. */
function setTarget({ target, header, name }: ReturnValue, context: OperationContext, item: unknown): void {
  if (item === undefined || item === null) return
  if (target === 'status') context.status = Number(item)
  else (context.headers ??= {})[header ?? name] = String(item)
}
