import t from 'tap'
import { testRandomRequests } from './random-requests.ts'

// The long tests send more.
testRandomRequests(t, 250)
