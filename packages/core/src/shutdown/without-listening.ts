import { AsyncLocalStorage } from 'node:async_hooks'

// What builds an application is far from the command or test that wants it without a port.
const places = new AsyncLocalStorage<true>()

/** Runs `work`: servers that it makes open no ports beside that of their `listen`. For commands and tests, which do not call it. */
export const withoutListening = <Result>(work: () => Result): Result => places.run(true, work)

/** True within `withoutListening`. */
export const isWithoutListening = (): boolean => places.getStore() === true
