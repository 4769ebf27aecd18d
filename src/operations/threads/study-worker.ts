import { workerData } from 'node:worker_threads';
import { openStore, type StoreSettings } from '../../store/open-store.ts';
import { answerCalls } from '../../threads/answer-calls.ts';
import { readHoldoutCases, readRentListings } from '../whole-blobs.ts';
import type { StudyCall, StudyResult } from './study-thread.ts';

/** The thread of `openStudyThread`. */
const settings: StoreSettings = workerData;
const opened = openStore(settings);

answerCalls<StudyCall, StudyResult>(async ({ read, sha256 }) =>
  read === 'holdout_cases'
    ? { holdoutCases: await readHoldoutCases(await opened, sha256) }
    : { rentListings: await readRentListings(await opened, sha256) },
);
