import { type AnyNode, type Function as FunctionNode, type Options, parseExpressionAt } from 'acorn'
import type { AnyFunction } from './driver.ts'

/**
 * Whether a function may take more arguments than its `length` counts: those of a rest, of a parameter with a default, or of
 * `arguments`. True as well for one whose source cannot be read, such as a bound one.
 */
export function hidesParameters(fn: AnyFunction): boolean {
  const source = Function.prototype.toString.call(fn)
  // Functions and arrows stand alone, methods in an object.
  return readSource(`(${source})`) ?? readSource(`({${source}})`) ?? true
}

/** Undefined for a text that holds no function. */
function readSource(text: string): boolean | undefined {
  let readsArguments = false
  const onToken: Options['onToken'] = ({ start, end }) => {
    if (text.slice(start, end) === 'arguments') readsArguments = true
  }
  try {
    const found = functionIn(parseExpressionAt(text, 0, { ecmaVersion: 'latest', onToken }))
    return found && (readsArguments || found.params.some(({ type }) => uncounted.has(type)))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const uncounted: ReadonlySet<string> = new Set(['RestElement', 'AssignmentPattern'])

function functionIn(node: AnyNode): FunctionNode | undefined {
  if (node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression') return node
  const [member] = node.type === 'ObjectExpression' ? node.properties : []
  return member?.type === 'Property' ? functionIn(member.value) : undefined
}
