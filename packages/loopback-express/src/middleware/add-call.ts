import { ScriptArgumentInvalid } from '../errors.ts'
import { messageOf } from '../message-of.ts'
import { readMark } from '../routers/marked-handler.ts'
import { callsOf, type ExpressCall, isRouter } from '../routers/script-router.ts'
import { isFunction } from '../script-function.ts'
import type { ExpressModule, ExpressRouter, Handler } from './express-module.ts'
import { leave, skip } from './leave.ts'
import { expressHandler } from './run-handler.ts'
import { translatePath } from './translate-path.ts'

/** What replaces what scripts mounted. */
export interface CallParts {
  readonly express: ExpressModule
  /** Authenticates, in place of `loopback.token()`; undefined where it is not used. */
  readonly tokenLayer: Handler | undefined
}

/**
 * Repeats a call that a script made on a router of Express. Where the script mounted a handler of LoopBack, requests leave
 * the router, for Fastify answers them.
 * @throws {ScriptArgumentInvalid} Express refuses the call; `cause` is its error
 */
export function addCall(target: ExpressRouter, call: ExpressCall, parts: CallParts): void {
  repeat(target, call, parts)
  for (const { kind, path } of call.marks) {
    if (kind === 'rest') target.use(path, leave)
    if (kind === 'status' || kind === 'favicon') target.all(path, leave)
    // An explorer at the root leaves everything else to those behind it.
    if (kind === 'explorer') target.all(path === '/' ? explorerPaths : [path, `${path}/*`], leave)
  }
}

/** Paths that an explorer at the root answers. */
const explorerPaths = ['/', '/index.html', '/swagger.json', '/openapi.json']

function repeat(target: ExpressRouter, { method, args, file }: ExpressCall, parts: CallParts): void {
  const own: unknown = Reflect.get(target, method)
  const [first, ...others] = args
  const path = translatePath(first)
  try {
    if (!isFunction(own)) throw new TypeError(`there is no ${method}`)
    // Functions of parameters have arguments of their own.
    const handlerArgs = method === 'param' ? args : [path, ...others].map((arg) => toExpress(arg, parts))
    own.apply(target, [...handlerArgs])
  } catch (cause) {
    throw new ScriptArgumentInvalid(`Express refuses the call of ${method}: ${messageOf(cause)}`, { file }, { cause })
  }
}

function toExpress(arg: unknown, parts: CallParts): unknown {
  if (Array.isArray(arg)) return arg.map((item) => toExpress(item, parts))
  const mark = readMark(arg)
  if (mark !== undefined) return (mark.kind === 'token' && parts.tokenLayer) || skip
  if (!isRouter(arg)) return isFunction(arg) ? expressHandler(arg) : arg
  const router = parts.express.Router()
  for (const call of callsOf(arg)) repeat(router, call, parts)
  return router
}
