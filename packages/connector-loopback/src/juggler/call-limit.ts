import { ConnectorTimeout } from '../errors.ts'

const defaultCallTimeout = 60_000

/** Milliseconds that a connector has to call back, where others wait for it: the setting `callTimeout` of its data source. */
export function callTimeoutOf(settings: Readonly<Record<string, unknown>>): number {
  const wanted = Number(settings['callTimeout'])
  return wanted > 0 ? wanted : defaultCallTimeout
}

/** What `promise` comes to, or a refusal when that takes too long: then it is not waited for any more. @throws {ConnectorTimeout} */
export async function limitCall<Result>(promise: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    const error = new ConnectorTimeout(`the connector did not call back within ${milliseconds} ms`)
    timer = setTimeout(reject, milliseconds, error)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
