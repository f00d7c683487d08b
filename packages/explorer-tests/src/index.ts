export { documentProblems } from './document-problems.ts'
export { clientProblems, runClient, type ClientSource } from './run-client.ts'
export { injectFetch } from './inject-fetch.ts'
export { findBarriers, findBrowser, openBrowser } from './browser.ts'
