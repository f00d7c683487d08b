import { methodString, type ModelClass, type OperationContext } from '@modelwire/core'

/** The method that a call runs, as remote hooks see it. */
export interface ScriptMethod {
  /** Without `prototype.`. */
  readonly name: string
  /** `Product.prototype.rate`. */
  readonly stringName: string
  readonly isStatic: boolean
  readonly accepts: readonly unknown[]
  readonly returns: readonly unknown[]
  readonly ctor: ModelClass
  readonly sharedClass: { readonly name: string; readonly ctor: ModelClass }
}

/** A call as remote hooks of scripts see it: what they change is changed in the call itself. */
export interface ScriptContext {
  args: Record<string, unknown>
  options: Record<string, unknown>
  result: unknown
  error: unknown
  instance: object | undefined
  readonly req: unknown
  readonly res: unknown
  readonly method: ScriptMethod
  readonly methodString: string
}

const wrapped = new WeakMap<OperationContext, ScriptContext>()

/** The script's view of a call; the same one every time. */
export function scriptContext(context: OperationContext): ScriptContext {
  const known = wrapped.get(context)
  if (known !== undefined) return known
  const made = wrap(context)
  wrapped.set(context, made)
  return made
}

/** True for a call of an operation, which some methods take as an argument. */
export function isOperationContext(value: unknown): value is OperationContext {
  return typeof value === 'object' && value !== null && 'operation' in value && 'args' in value && 'options' in value
}

function wrap(context: OperationContext): ScriptContext {
  const method = describeMethod(context)
  return {
    get args() {
      return context.args
    },
    set args(args) {
      context.args = args
    },
    get options() {
      return context.options
    },
    set options(options) {
      context.options = options
    },
    get result() {
      return context.result
    },
    set result(result) {
      context.result = result
    },
    get error() {
      return context.error
    },
    set error(error) {
      context.error = error
    },
    get instance() {
      return context.instance
    },
    set instance(instance) {
      context.instance = instance
    },
    get req() {
      return context.req
    },
    get res() {
      return context.res
    },
    method,
    methodString: method.stringName
  }
}

function describeMethod({ operation }: OperationContext): ScriptMethod {
  const { model, name, onInstance, accepts, returns } = operation
  // `ModelClass` describes the same class, with the type of its records filled in.
  const ctor = model.modelClass as unknown as ModelClass
  return {
    name: onInstance ? name.slice('prototype.'.length) : name,
    stringName: methodString(operation),
    isStatic: !onInstance,
    accepts,
    returns,
    ctor,
    sharedClass: { name: model.name, ctor }
  }
}
