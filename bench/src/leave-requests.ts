import { get } from 'node:http'

/** How often requests are opened, and how many at a time: 200 a second. */
const every = 20
const atOnce = 4
/** Milliseconds until a client leaves. */
const earliest = 3
const latest = 7

/** Opens requests, each on a connection of its own, and leaves before most of them are answered; until the function that it returns is called. */
export function leaveRequests(address: string, path: string): () => void {
  const leave = (): void => {
    const request = get(address + path, { agent: false })
    // Leaving is an error to the request, and an answer that came before nothing to look at.
    request.on('error', () => {})
    request.on('response', (response) => response.resume().on('error', () => {}))
    setTimeout(() => request.destroy(), earliest + Math.random() * (latest - earliest))
  }
  const timer = setInterval(() => {
    for (let at = 0; at < atOnce; at++) leave()
  }, every)
  return () => clearInterval(timer)
}
