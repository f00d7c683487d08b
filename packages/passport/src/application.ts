import type { Model } from '@modelwire/core'

/** A function of a script, such as a handler or a callback. */
export type ScriptFunction = (this: unknown, ...args: unknown[]) => unknown

/** A callback with Node's signature, `(error, ...results)`. */
export type Callback = (error?: unknown, ...results: unknown[]) => void

/** A record of a model. */
export type ScriptRecord = Model & { readonly id?: unknown }

/** A model's class with LoopBack's members besides data access. */
export type ScriptModel = typeof Model & {
  readonly relations: Readonly<Record<string, { readonly modelTo?: ScriptModel }>>
  readonly hasMany: (target: ScriptModel, settings: object) => void
  readonly belongsTo: (target: ScriptModel, settings: object) => void
  /** Of users: checks a password, returns a token. */
  readonly login?: ScriptFunction
  /** Of credentials. */
  readonly link?: ScriptFunction
}

/** The part of a LoopBack application that the configurator uses. */
export interface PassportApp {
  readonly middleware: (phase: string, handler: unknown) => unknown
  readonly get: (path: string, ...handlers: unknown[]) => unknown
  readonly post: (path: string, ...handlers: unknown[]) => unknown
  /** Returns models by name or class: the first one that extends it, else itself. */
  readonly registry: { readonly getModelByType: (type: unknown) => unknown }
}

/** Calls a function of a script with a callback appended: returns what it calls back with, or the result of its promise. */
export type CallScript = (fn: ScriptFunction, self: unknown, args: readonly unknown[]) => Promise<readonly unknown[]>

/** What an application provides for Passport. */
export interface PassportHost {
  /** Loads a package installed in the application; undefined if it is not installed. */
  readonly load: (name: string) => unknown
  readonly call: CallScript
  /** Called once at startup with the protections that are off. */
  readonly warn: (message: string) => void
}

/** Lets a method take a callback instead of returning a promise; `toResults` returns the callback's arguments. */
export type AcceptCallback = (
  method: (this: unknown, ...args: unknown[]) => Promise<unknown>,
  toResults?: (value: unknown) => readonly unknown[]
) => ScriptFunction

/** A request in Express middleware, with what Passport and sessions add. */
export interface LoginRequest {
  readonly user?: unknown
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  session?: Record<string, unknown> | null
  readonly secret?: unknown
  logIn: (user: unknown, options: unknown, done?: Callback) => void
  login: LoginRequest['logIn']
  readonly flash?: (type: string, message: string) => unknown
}

/** A response in Express middleware. */
export interface LoginResponse {
  readonly status: (code: number) => LoginResponse
  readonly json: (body: unknown) => unknown
  readonly redirect: (url: string) => unknown
  readonly cookie: (name: string, value: string, options: object) => unknown
}

/** A request handler. */
export type LoginHandler = (request: LoginRequest, response: LoginResponse, next: (error?: unknown) => void) => void

/** The part of the module `passport` that is used here. */
export interface PassportModule {
  readonly initialize: () => unknown
  readonly session: () => unknown
  readonly use: (name: string, strategy: object) => unknown
  readonly serializeUser: (serialize: (user: ScriptRecord, done: Callback) => void) => void
  readonly deserializeUser: (find: (request: object, id: unknown, done: Callback) => void) => void
  readonly authenticate: (name: string, options?: unknown, callback?: Callback) => LoginHandler
  readonly authorize: (name: string, options?: unknown) => LoginHandler
}

/** A member of any value; undefined if it has none. */
export function readMember(owner: unknown, name: string): unknown {
  return owner === undefined || owner === null ? undefined : (Reflect.get(Object(owner) as object, name) as unknown) // anything else has members
}
