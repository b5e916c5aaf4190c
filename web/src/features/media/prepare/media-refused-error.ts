const sentences = {
  empty: 'This file is empty. Choose another one.',
  not_read: 'This file could not be read. Save it on this device and choose it again.',
  unknown:
    'This file is neither a picture nor a video that can be sent. Choose a JPEG, PNG, WebP or GIF picture, or an MP4, MOV or WebM video.',
  pdf: 'PDF files cannot be sent. Take a screenshot of the page and choose that.',
  sound: 'Sound files cannot be sent. Record a voice message in the chat.',
  not_a_picture: 'Only pictures can be sent here. Close this and choose "Choose a photo or video".',
  svg: 'SVG drawings cannot be sent. Save it as PNG or JPEG and choose that file.',
  tiff: 'TIFF and raw pictures cannot be sent. Save it as JPEG and choose that file.',
  jxl: 'JPEG XL pictures cannot be sent. Save it as JPEG and choose that file.',
  icon: 'Icon files cannot be sent. Save it as PNG and choose that file.',
  photoshop: 'Photoshop files cannot be sent. Save it as JPEG or PNG and choose that file.',
  heic: 'This browser cannot open HEIC pictures. Save it as JPEG and choose that file.',
  avif: 'This browser cannot open this AVIF picture. Save it as JPEG and choose that file.',
  too_many_pixels: 'This picture is too large: 200 megapixels at most. Choose a smaller one.',
  too_large_here:
    'This picture is too large for this device. Save it with fewer pixels and choose that file.',
  too_long: 'This picture is too long to stay readable. Cut it into parts and send each of them.',
  long_animation:
    'This animation is too large: 500 frames and 300 megapixels in all at most. Save it as a video and choose that file.',
  animated_avif: 'Animated AVIF and HEIC pictures cannot be sent. Save it as a video and choose that file.',
  canvas_lies:
    'This browser protects you by changing the pictures that a page prepares, so this one would arrive as stripes. Allow this page to use canvas data, or choose another browser.',
  damaged: 'This picture is damaged or cannot be read. Choose another one.',
  not_a_video: 'This file is not a video that can be sent. Choose an MP4, MOV or WebM file.',
  video_without_index:
    'The end of this video is missing, so it cannot be read. Copy it again and choose that file.',
  video_without_picture:
    'This file has no picture in it. Choose a video, or record the sound as a voice message.',
  protected_video: 'This video is protected against copying and cannot be sent. Choose another one.',
  unknown_picture:
    'The picture of this video is coded in a way that cannot be sent. Save it as an MP4 with H.264 and choose that file.',
  joined_video:
    'This video is joined from parts that are coded differently. Export it again as one video and choose that file.',
  cut_video:
    'This video is cut or slowed down in a way that cannot be sent. Export it again as a new video and choose that file.',
  not_wanted: 'This video was not sent. Choose another one, or try again.',
  damaged_video: 'This video is damaged or cannot be read. Choose another one.',
  video_too_large: 'This video is too large: 4096 pixels a side at most. Choose a smaller one.',
  not_prepared: 'This file could not be prepared. Check your connection and try again.',
}

/** After these refusals, another try with the same file may succeed. */
const passing: RefusalReason[] = ['not_prepared', 'not_read', 'not_wanted']

export type RefusalReason = keyof typeof sentences

/** Thrown for a file that cannot be sent. The message tells the person why, and what to do. */
export class MediaRefusedError extends Error {
  override readonly name = 'MediaRefusedError'
  readonly reason: RefusalReason
  constructor(reason: RefusalReason) {
    super(sentences[reason])
    this.reason = reason
  }

  /** True if every further try with the same file would fail. */
  get isFinal(): boolean {
    return !passing.includes(this.reason)
  }
}
