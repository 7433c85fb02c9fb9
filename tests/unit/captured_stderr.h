// Takes what is written to descriptor 2 while it lives, whoever writes it.
#pragma once

#include <stdio.h>
#include <unistd.h>

#include <string>

namespace mipstrace {

class CapturedStderr {
  public:
    CapturedStderr() : file_(tmpfile()), saved_(dup(2)) { dup2(fileno(file_), 2); }
    ~CapturedStderr() {
        restore();
        fclose(file_);
    }
    CapturedStderr(const CapturedStderr&) = delete;
    CapturedStderr& operator=(const CapturedStderr&) = delete;

    // Ends the capture.
    std::string take() {
        restore();
        std::string text;
        rewind(file_);
        for (int c; (c = getc(file_)) != EOF;)
            text += char(c);
        return text;
    }

  private:
    void restore() {
        if (saved_ < 0) return;
        dup2(saved_, 2);
        close(saved_);
        saved_ = -1;
    }

    FILE* file_;
    int saved_;
};

}  // namespace mipstrace
