/** The widget shows these texts instead of its own. The specification gives most of them. */
export const pickerStrings = {
  additionalRestrictionsFailed: '%{count} more files cannot be sent. Choose other ones.',
  // `dropFailureNotices` drops the notice with this empty text; a sentence next to the widget describes the failure.
  failedToUpload: '',
  addBulkFilesFailed: {
    0: 'Multiple errors occurred while adding files',
    1: 'Multiple errors occurred while adding files',
  },
  connectedToInternet: 'Connected again.',
  uploadFailed: 'Upload failed',
  missingRequiredMetaFields: {
    0: 'Missing required meta field(s): %{fields}.',
    1: 'Missing required meta field(s): %{fields}.',
  },

  dashboardTitle: 'Choose a photo or video',
  dropHint: 'Drop your file here',
  dropPasteFiles: 'Drop a file here or %{browseFiles}',
  browseFiles: 'browse',
  noInternetConnection: 'No connection. The upload goes on when you are back.',
  inferiorSize: 'This file is empty. Choose another one.',
  exceedsSize: 'This file is larger than %{size}. Choose a smaller one.',
  youCanOnlyUploadFileTypes: 'This kind of file cannot be sent here. Choose another one.',
  youCanOnlyUploadX: { 0: 'Choose one file at a time.', 1: 'Choose up to %{smart_count} files at a time.' },
  noMoreFilesAllowed: 'Wait for this upload to end before you choose another file.',
  noDuplicates: 'This file is already chosen.',
}
