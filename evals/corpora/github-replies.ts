/**
 * Numbers of the lines that the person wrote, of each mail of the GitHub set, which has no expectations of its own.
 * Quotations and what is below a signature are left out; answers between quoted lines stay with these.
 */
export const githubReplies: Record<string, [first: number, last: number][]> = {
  'correct_sig.txt': [[1, 1]],
  'email_1_1.txt': [[1, 5]],
  'email_1_2.txt': [
    [1, 1],
    [8, 34],
  ],
  'email_1_3.txt': [[1, 3]],
  'email_1_4.txt': [[1, 1]],
  'email_1_5.txt': [[1, 15]],
  'email_1_6.txt': [[1, 1]],
  'email_1_7.txt': [[1, 1]],
  'email_1_8.txt': [[1, 19]],
  'email_2_1.txt': [[1, 1]],
  'email_2_2.txt': [[1, 1]],
  'email_2_3.txt': [[1, 1]],
  'email_BlackBerry.txt': [[1, 1]],
  'email_bullets.txt': [[1, 9]],
  'email_iPhone.txt': [[1, 1]],
  'email_long_quote.txt': [[1, 8]],
  'email_multi_word_sent_from_my_mobile_device.txt': [[1, 1]],
  'email_one_is_not_on.txt': [[1, 5]],
  'email_sent_from_my_not_signature.txt': [[1, 3]],
  'email_sig_delimiter_in_middle_of_line.txt': [[1, 7]],
  'greedy_on.txt': [[1, 6]],
  'pathological.txt': [[1, 2]],
}
