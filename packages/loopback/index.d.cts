/** LoopBack's module: a function that makes an application, with LoopBack's models and functions as its members. */
declare const loopback: ((options?: object) => LoopBackApplication) & Readonly<Record<string, unknown>>

/** An application as LoopBack's scripts use it: a handler of requests with the members of LoopBack's and of Express's. */
interface LoopBackApplication {
  (request: unknown, response: unknown, next?: unknown): void
  [member: string]: unknown
}

export = loopback
