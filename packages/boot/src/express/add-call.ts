import { isFunction } from '../callback-bridge.ts'
import { ScriptArgumentInvalid } from '../errors.ts'
import { messageOf } from '../scripts/load-script.ts'
import { readMark } from '../scripts/marked-handler.ts'
import { callsOf, type ExpressCall, isRouter } from '../scripts/script-router.ts'
import type { ExpressModule, ExpressRouter } from './express-module.ts'
import { leave, skip } from './leave.ts'
import { translateMountPath, translatePath } from './translate-path.ts'

/**
 * Repeats a call that a script made on a router of Express. Where the script mounted a handler of LoopBack, requests leave
 * the router, for Fastify answers them.
 * @throws {ScriptArgumentInvalid} Express refuses the call; `cause` is its error
 */
export function addCall(target: ExpressRouter, call: ExpressCall, express: ExpressModule): void {
  repeat(target, call, express)
  for (const { kind, path } of call.marks) {
    if (kind === 'rest') target.use(path, leave)
    if (kind === 'status' || kind === 'favicon') target.all(path, leave)
  }
}

function repeat(target: ExpressRouter, { method, args, file }: ExpressCall, express: ExpressModule): void {
  const own: unknown = Reflect.get(target, method)
  const [first, ...others] = args
  const translate = method === 'use' ? translateMountPath : translatePath
  const path = method === 'param' ? first : translate(first)
  try {
    if (!isFunction(own)) throw new TypeError(`there is no ${method}`)
    own.apply(
      target,
      [path, ...others].map((arg) => toExpress(arg, express))
    )
  } catch (cause) {
    throw new ScriptArgumentInvalid(`Express refuses the call of ${method}: ${messageOf(cause)}`, { file }, { cause })
  }
}

function toExpress(arg: unknown, express: ExpressModule): unknown {
  if (Array.isArray(arg)) return arg.map((item) => toExpress(item, express))
  if (readMark(arg) !== undefined) return skip
  if (!isRouter(arg)) return arg
  const router = express.Router()
  for (const call of callsOf(arg)) repeat(router, call, express)
  return router
}
