import { useRoute } from 'preact-iso/router';
import './batches.css';
import { FilePage } from './file/file-page.tsx';
import { JobPage } from './jobs/job-page.tsx';
import { ListsPage } from './lists-page.tsx';
import { UploadPage } from './upload/upload-page.tsx';

/** `/batches`, `/batches/new`, `/batches/file/{id}`, `/batches/{job_id}`. */
export default function BatchesPage() {
  const { first, second } = useRoute().params;
  if (first === undefined || first === '') return <ListsPage />;
  if (first === 'new') return <UploadPage />;
  if (first === 'file' && second !== undefined) return <FilePage key={second} id={second} />;
  return <JobPage key={first} jobId={first} />;
}
