export {
  documentProblems,
  clientProblems,
  runClient,
  type ClientSource,
  injectFetch,
  findBarriers,
  findBrowser,
  openBrowser
} from './run-client.ts'
